/**
 * Does `work` when its file is the one that was started, not when it is imported. What goes wrong is said in the
 * error's own sentence; LOG_LEVEL=debug shows where it came from.
 */
export async function command(
  meta: ImportMeta,
  work: (args: string[]) => Promise<unknown> | void,
): Promise<void> {
  if (process.argv[1] !== meta.filename) return;
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    const { message, stack } = error as Error;
    process.stderr.write(`${process.env.LOG_LEVEL === "debug" ? stack : message}\n`);
    process.exitCode = 1;
  }
}
