// npm runs this after packing.
import { restoreManifest } from "./restore.mjs";

restoreManifest();
