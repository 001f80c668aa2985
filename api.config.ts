export { default } from "./src/edge-network/index.ts";
