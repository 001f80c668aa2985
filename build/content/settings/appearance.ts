// The pictures of the publisher: the checks that no form expresses.

import { svgType } from "../../files/media-type.ts";
import { type Log, wholeFile } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { didYouMean } from "../../text/slips.ts";
import { assetTypeOf, factsOf, noSize } from "../assets/measure.ts";
import { harmOf } from "../assets/svg.ts";
import type { Folder } from "../folder.ts";
import type { PlaceIn } from "../validate.ts";
import type { Picture } from "./chosen-settings.ts";
import type { SettingsContent } from "./settings-form.ts";

/** The logo that api.yaml names. A logo without a name is a fault, so that nobody looks for it on the pages in vain. */
export function readLogo(
  chosen: SettingsContent["logo"],
  at: PlaceIn,
  { files }: Folder,
  log: Log,
): Picture | undefined {
  const logos = files.filter(({ role }) => role.kind === "logo");
  const named = logos.find(({ file }) => file === chosen);
  if (chosen !== undefined && named === undefined) {
    const text = `There is no file ${chosen} in the content folder.`;
    const hint = didYouMean(logos[0]?.file) ?? "Add it, or leave out logo.";
    log.report({ code: "no-such-file", at: at(["logo"]), text, hint });
    return undefined;
  }
  const bytes = named?.read() ?? new Uint8Array();
  const problem = named && pictureProblem(named.file, bytes);
  if (problem !== undefined) {
    log.report({ code: "wrong-file", at: at(["logo"]), text: `${quote(chosen ?? "")} ${problem}.` });
    return undefined;
  }
  for (const other of logos) {
    if (other === named) continue;
    const hint = `Add "logo: ${other.file}" to api.yaml, or remove the file.`;
    log.report({ code: "unknown-file", at: wholeFile(other.file), text: "api.yaml does not name this logo.", hint });
  }
  return chosen === undefined || named === undefined ? undefined : { file: chosen, bytes };
}

/** The picture of previews. */
export function readCard({ files }: Folder, log: Log): Picture | undefined {
  const card = files.find(({ role }) => role.kind === "card");
  if (card === undefined) return undefined;
  const bytes = card.read();
  const problem = pictureProblem(card.file, bytes);
  if (problem === undefined) return { file: "card.png", bytes };
  log.report({ code: "wrong-file", at: wholeFile(card.file), text: `This picture ${problem}.` });
  return undefined;
}

/** Why a file is not a picture that may be published, as a clause about it. Pages show an SVG without a size as well. */
function pictureProblem(file: string, bytes: Uint8Array): string | undefined {
  const facts = factsOf(file, bytes.length, bytes);
  if (typeof facts === "string" && facts !== noSize) return facts;
  return assetTypeOf(file) === svgType ? harmOf([bytes]) : undefined;
}
