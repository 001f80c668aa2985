// How requests in samples identify a reader, by variables that only the reader can fill.
import type { Audience } from "../../../src/model/audience.ts";
import type { CredentialCode } from "./code.ts";

export function credentialCode({ access }: Pick<Audience, "access">): CredentialCode {
  if (access === undefined) return {};
  const { scheme } = access;
  if (scheme === "basic") {
    return {
      curl: curlLine('-u "$NAME:$PASSWORD"'),
      javascript: `const login = btoa(name + ":" + password);\n${optionsWith("Authorization", '"Basic " + login')}`,
      python: "    auth=(name, password),\n",
    };
  }
  if (scheme === "bearer") {
    return {
      curl: curlLine('-H "Authorization: Bearer $TOKEN"'),
      javascript: optionsWith("Authorization", '"Bearer " + token'),
      python: headersWith("Authorization", '"Bearer " + token'),
    };
  }
  if ("header" in scheme) {
    const { header } = scheme;
    return {
      curl: curlLine(`-H "${header}: $KEY"`),
      javascript: optionsWith(header, "key"),
      python: headersWith(header, "key"),
    };
  }
  const { cookie } = scheme;
  return {
    curl: curlLine(`-b "${cookie}=$COOKIE"`),
    javascript: 'const options = { credentials: "include" };\n',
    python: `    cookies={"${cookie}": cookie},\n`,
  };
}

const curlLine = (option: string): string => `  ${option} \\\n`;

/** Lines of JavaScript. */
const optionsWith = (header: string, value: string): string => `const options = {
  headers: {
    ${/^\w+$/.test(header) ? header : JSON.stringify(header)}: ${value},
  },
};
`;

/** Lines of Python. */
const headersWith = (header: string, value: string): string => `    headers={
        "${header}": ${value},
    },
`;
