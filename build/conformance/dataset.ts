import { statusOf } from "../../src/resources/status.ts";
import { allItems, type Catalog, type Deployment } from "../content/catalog.ts";
import type { Dataset } from "./expected.ts";

export function datasetOf(catalog: Catalog, deployment: Deployment): Dataset {
  const items = new Map([...catalog.items].map(([name, own]) => [name, allItems(own)]));
  const keys = (operation: string, field: string) => (items.get(operation) ?? []).map((item) => String(item[field]));
  return {
    items: new Map([...items].filter(([name]) => deployment.operations.includes(name))),
    regions: keys("regions", "code"),
    collections: keys("schema", "name"),
    status: statusOf(deployment.status),
    pageSizes: catalog.settings.pageSizes,
  };
}
