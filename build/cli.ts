// The command line: `node --import tsx build/cli.ts <command>`. The command tsx would start a second process. The commands
// are in cli/; this file only loads them quickly.
import { start } from "./package/start.ts";

process.exitCode = await start(process.argv.slice(2));
