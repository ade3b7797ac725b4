import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { CHROMIUM, FLAGS } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser of the stories is spoken to. */
    browser: string;
  }
}

/** One browser for a run of the stories; each window of a story has nothing in common with another. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: CHROMIUM,
    args: [...FLAGS],
    host: "127.0.0.1",
  });
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}
