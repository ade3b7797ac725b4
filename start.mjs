// The one command behind every script in package.json. It runs under whatever Node is installed (20 or newer), makes sure that the
// packages are there, and hands over to the Node that the product ships. Plain JavaScript: an older Node reads no TypeScript.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("./", import.meta.url));
const modules = join(root, "node_modules");
const windows = process.platform === "win32";

const [command = "demo", ...args] = process.argv.slice(2);
process.chdir(root);

/** What each command runs, the last one with the arguments given. */
const build = "platform/server/process/build.ts";
const plans = {
  demo: { mode: "demo", files: [build, "server.ts"] },
  serve: { mode: "production", files: [build, "server.ts"] },
  dev: { mode: "demo", files: ["platform/server/process/dev.ts"], tools: true },
  test: { files: ["platform/checks/run.ts"], tools: true },
  run: { files: [args[0]], args: args.slice(1), tools: /^(platform\/checks|bench)\//.test(args[0] ?? "") },
};
const plan = plans[command];
if (!plan || !plan.files[0]) fail(`Unknown command: ${command}. There are ${Object.keys(plans).join(", ")}.`);

const reason = outdated(plan.tools);
if (reason) install(reason);
const node = shippedNode();
if (plan.mode) process.env.MODE = plan.mode;

const last = plan.files.pop();
for (const file of plan.files) {
  const { status, signal } = spawnSync(node, [join(root, file)], { stdio: "inherit" });
  if (status !== 0) process.exit(signal ? 1 : status);
}
await handOver(last, plan.args ?? args);

/** Why the packages must be installed, or nothing. npm keeps its own record of what it installed; it is written last. */
function outdated(tools) {
  if (!existsSync(modules)) return "The packages are not installed yet";
  const packages = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
  const record = join(modules, ".package-lock.json");
  if (!existsSync(record)) return "The packages are not wholly installed";
  const installed = packages(record);
  for (const [path, wanted] of Object.entries(packages(join(root, "package-lock.json")))) {
    // optional ones belong to other systems, tools are left out where the product only serves
    if (!path || wanted.optional || ((wanted.dev || wanted.devOptional) && !tools && !installed[path]))
      continue;
    if (installed[path]?.version !== wanted.version)
      return `The packages have changed (${path.replace(/.*node_modules\//, "")})`;
  }
}

function install(why) {
  // a link leads to packages that somebody else looks after
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink())
    return say(`${why}, but node_modules is a link and is left alone.`);
  const env = { ...process.env };
  // npm deletes the folder that the shipped Node lies in: it must not run on that one itself
  for (const name of Object.keys(env))
    if (name.toUpperCase() === "PATH")
      env[name] = env[name]
        .split(delimiter)
        .filter((dir) => !dir.startsWith(modules))
        .join(delimiter);
  for (const way of ["ci", "install"]) {
    say(`${why}: npm ${way} …`);
    const npm = spawnSync(
      "npm",
      [way, "--no-audit", "--no-fund", "--loglevel=error", "--include=dev", "--include=optional"],
      {
        stdio: ["ignore", 2, 2],
        shell: windows,
        env,
      },
    );
    if (npm.status === 0) return;
  }
  fail("The packages could not be installed; npm says above why.");
}

function shippedNode() {
  const folder = join(modules, `node-${windows ? "win" : process.platform}-${process.arch}`, "bin");
  const shipped = join(folder, windows ? "node.exe" : "node");
  if (existsSync(shipped)) return shipped;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  fail(
    `Node 24 is needed: the product ships none for ${process.platform}-${process.arch} and this one is ${process.versions.node}.`,
  );
}

async function handOver(file, rest) {
  const path = join(root, file);
  if (Number(process.versions.node.split(".")[0]) >= 24) {
    process.argv = [process.execPath, path, ...rest];
    await import(pathToFileURL(path).href);
    return;
  }
  // over the channel the other process notices when this one is killed
  const child = spawn(node, [path, ...rest], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

function fail(sentence) {
  say(sentence);
  process.exit(1);
}
