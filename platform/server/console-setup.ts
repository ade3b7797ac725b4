import { buildConsole } from "./build.ts";

/** The console is built once for a run of the stories. */
export default async function setUp(): Promise<void> {
  await buildConsole();
}
