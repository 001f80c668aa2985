import { statusOf } from "../../src/resources/status.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import type { Dataset } from "./expected.ts";

export function datasetOf({ items, settings }: Catalog, deployment: Deployment): Dataset {
  const keys = (operation: string, field: string) => (items.get(operation) ?? []).map((item) => String(item[field]));
  return {
    items: new Map([...items].filter(([name]) => deployment.operations.includes(name))),
    regions: keys("regions", "code"),
    collections: keys("schema", "name"),
    status: statusOf(deployment.status),
    pageSizes: settings.pageSizes,
  };
}
