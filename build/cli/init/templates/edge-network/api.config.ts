export { default } from "stillapi/edge-network";
