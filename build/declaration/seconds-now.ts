import { MachineError } from "../files/machine-error.ts";

/** From this year on, times have another form. */
const yearTenThousand = 253_402_300_800;

/** The time of a build, in seconds since 1970. https://reproducible-builds.org/specs/source-date-epoch/ */
export function secondsNow(): number {
  const set = process.env["SOURCE_DATE_EPOCH"];
  if (set === undefined || set === "") return Math.floor(Date.now() / 1_000);
  if (/^\d{1,12}$/.test(set) && Number(set) < yearTenThousand) return Number(set);
  throw new MachineError(
    "SOURCE_DATE_EPOCH is not a number of seconds.",
    "Set it to the seconds since 1970, or not at all.",
  );
}
