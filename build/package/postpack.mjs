// What npm runs after it has packed.
import { restoreManifest } from "./restore.mjs";

restoreManifest();
