import { expect, test } from "vitest";
import type { Event } from "../kernel/event.ts";
import type { Job } from "../server/jobs/jobs.ts";
import { everyOf } from "../server/pipeline/serve.ts";
import { filesOf, textOf } from "./tree.ts";

const files = filesOf().filter((path) => /^domains\/.*\.ts$/.test(path) && !path.endsWith(".test.ts"));
const declared = new Map<string, Event>();
for (const path of files.filter((file) => file.endsWith(".contract.ts")))
  for (const [name, one] of Object.entries(
    (await import(/* @vite-ignore */ `../../${path}`)) as Record<string, unknown>,
  ))
    if (typeof one === "object" && one && "waitsFor" in one && "payload" in one)
      declared.set(name, one as Event);
const jobs = await everyOf<Job>("job");
const heard = new Set(jobs.flatMap((job) => (job.on ? [job.on.name] : [])));
const told = new Set(
  files.flatMap((path) => [...textOf(path).matchAll(/\bemit\(\s*(\w+)/g)].map((found) => found[1]!)),
);

test("an event has a listener, or says whom it waits for", () =>
  expect([...declared.values()].filter((one) => heard.has(one.name) === Boolean(one.waitsFor))).toEqual([]));

test("an event is told by somebody, under a name of its own", () => {
  expect([...declared.keys()].filter((name) => !told.has(name))).toEqual([]);
  expect(new Set([...declared.values()].map((one) => one.name)).size).toBe(declared.size);
});
