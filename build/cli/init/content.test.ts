import { expect, it } from "vitest";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { starterContent } from "./content.ts";
import { edgeNetworkTemplate } from "./template.ts";

const files = starterContent(edgeNetwork, edgeNetworkTemplate, "Starter", "nginx");

it.each(edgeNetwork.lists)("explains each field of $name above an item", ({ name, resource }) => {
  const text = files.get(`${name}.yaml`) ?? "";
  for (const [field, meaning] of Object.entries(resource.meanings)) {
    const line = text.split("\n").find((each) => each.startsWith(`#   ${field} `));
    expect(line?.endsWith(` ${meaning}`), line).toBe(true);
  }
  expect(text).toContain(`- ${Object.keys(resource.example)[0]}: `);
});

it.each(edgeNetwork.documents)("explains what a publisher writes of $name, and nothing else", ({ name, resource }) => {
  const text = files.get("deployments/edge.yaml") ?? "";
  const shown = [...text.matchAll(/^# {3}([a-z_]+)/gm)].map(([, field]) => field);
  expect(shown).toEqual(expect.arrayContaining(Object.keys(resource.example)));
  const given = edgeNetwork.documents.flatMap((each) => Object.keys(each.resource.example));
  expect(shown.filter((field) => !given.includes(String(field)))).toEqual([]);
  expect(text).toContain(`\n${name}:\n`);
});
