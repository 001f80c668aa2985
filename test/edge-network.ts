import { completeApi } from "../src/complete-api.ts";
import { edgeNetwork as declared } from "../src/edge-network/index.ts";

export const edgeNetwork = completeApi(declared);
