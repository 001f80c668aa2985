import { type OutputFile, textFile } from "../../build/file.ts";
import type { Site } from "../../build/hosts/host.ts";

/** Replaces the configuration of the adapter's program by one that includes the API's file and ignores .htaccess. */
export const asVirtualHost = (site: Site, own: readonly OutputFile[]): readonly OutputFile[] =>
  own.map(({ entry: { file }, parts }) => {
    const [server] = Buffer.concat(parts()).toString().split("<Directory");
    return textFile(file, `${server}${virtualHost(site)}`);
  });

const virtualHost = ({ beside }: Site): string => `<Directory "\${top}">
  AllowOverride None
  Require all granted
</Directory>
Include "${beside}/stillapi.conf"
<Location "/">
  ErrorDocument 404 /api/v1/errors/not_found.json
</Location>
RewriteRule !^/(?:hello\\.txt$|api/v1(?:/|$)) - [R=404]
`;
