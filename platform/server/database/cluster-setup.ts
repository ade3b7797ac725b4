import type { TestProject } from "vitest/node";
import { startCluster, type Cluster } from "./cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    cluster: Cluster;
  }
}

/** One cluster for a run of the tests. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...cluster } = await startCluster();
  project.provide("cluster", cluster);
  return stop;
}
