import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import postcss from "postcss";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { LOOKS } from "./platform/console/parts/antd-styles.ts";

/** The console's entrance, and the pages that need no login. */
const OPEN = [
  "console.tsx",
  ...Array.from(
    readFileSync(new URL("./screens/open.ts", import.meta.url), "utf8").matchAll(
      /import\("\.\.\/([^"]+)"\)/g,
    ),
    ([, file]) => file!,
  ),
].map((file) => fileURLToPath(new URL(file, import.meta.url)));

/** What those load of the house: it must not drag the kit along. */
const light = new Set<string>();
function isLight(id: string, all: Rolldown.ChunkingContext): boolean {
  const take = (file: string) => {
    if (light.has(file)) return;
    light.add(file);
    all.getModuleInfo(file)?.importedIds.forEach(take);
  };
  OPEN.forEach(take);
  return light.has(id);
}
const packages = (...names: string[]) => new RegExp(`node_modules[\\\\/](${names.join("|")})[\\\\/]`);

/** The kit's chunk holds what at least a quarter of the screens use, so that a rare component burdens only its own. */
const lists = new URL("./screens/", import.meta.url);
const screens = readdirSync(lists)
  .filter((file) => file !== "panels.ts")
  .flatMap((file) => readFileSync(new URL(file, lists), "utf8").match(/\bload:/g) ?? []).length;

/**
 * Chunks: `react` and `light` are what every page loads, the login page included. `kit` comes with the shell: what
 * many screens share of the kit, its components and the contracts' language. The rest follows the screens that use it.
 */
const groups = [
  // what fetches a page's files on demand is what the pages outside the console share with it
  { name: "preload", test: /vite[\\/]preload-helper/, priority: 50 },
  // with how everything looks, and how an amount is written
  { name: "look", test: /console[\\/]parts[\\/](tokens|base|layout)\.css/, priority: 46 },
  { name: "fen", test: /platform[\\/]kernel[\\/]fen\.ts/, priority: 45 },
  { name: "react", test: packages("react", "react-dom", "scheduler", "react-router"), priority: 40 },
  {
    name: (id: string, all: Rolldown.ChunkingContext) => (isLight(id, all) ? "light" : null),
    debugName: "light",
    test: /\/(platform|brands|screens)\/|screens\.ts$/,
    priority: 30,
  },
  { name: "charts", test: packages("echarts", "zrender"), priority: 20 },
  {
    name: "kit",
    test: /node_modules[\\/](antd|@rc-component|@ant-design|dayjs|@tanstack|zod)[\\/]|platform[\\/](console|kernel)[\\/]/,
    minShareCount: Math.max(2, Math.ceil(screens / 4)),
    priority: 10,
  },
];

/**
 * The component library measures scroll bars with a style that carries no nonce, which the server's content policy
 * refuses. Here every style that it writes gets the page's.
 */
const nonceOnStyles: Plugin = {
  name: "nonce-on-styles",
  transform(code, id) {
    if (!/@rc-component[\\/]util[\\/]es[\\/]Dom[\\/]dynamicCSS\.js$/.test(id)) return;
    const page = `document.querySelector('meta[property="csp-nonce"]')?.nonce`;
    const changed = code.replace("styleNode.innerHTML = css;", `styleNode.nonce = ${page} ?? "";\n$&`);
    if (changed === code)
      this.error("dynamicCSS.js of @rc-component/util has changed: see to the nonce of its styles");
    return changed;
  },
};

const KEPT = new Set(Object.values(LOOKS).flat());

/**
 * The component library can write its styles while a page runs, each component when it first stands; a slow computer
 * spends a fifth of its start on that. It also comes with all of them written out, of which this keeps the used ones.
 */
const looksOfTheUsed: Plugin = {
  name: "looks-of-the-used",
  enforce: "pre",
  transform(code, id) {
    if (!/antd[\\/]dist[\\/]antd\.css$/.test(id)) return;
    const sheet = postcss.parse(code);
    sheet.walkRules((rule) => {
      if (rule.parent?.type === "atrule" && /keyframes/.test((rule.parent as { name: string }).name)) return;
      rule.selectors = rule.selectors.filter((selector) => {
        const part = /\.ant-([a-z]+)/.exec(selector)?.[1];
        // links and other plain elements look as the console's own sheets say
        return part ? KEPT.has(part) : /^\.anticon/.test(selector);
      });
      if (!rule.selector) rule.remove();
    });
    sheet.walkAtRules((rule) => {
      if (rule.nodes?.length === 0) rule.remove();
    });
    return sheet.toString();
  },
};

/** Widths of a window, which a sheet cannot take from a variable: `@media (--phone)`. */
const WINDOWS = { "(--phone)": "(max-width: 767px)", "(--desk)": "(min-width: 768px)" };
const namedWindows: Plugin = {
  name: "named-windows",
  enforce: "pre",
  transform(code, id) {
    if (!/\.css$/.test(id)) return;
    const sheet = postcss.parse(code);
    sheet.walkAtRules("media", (rule) => {
      for (const [name, width] of Object.entries(WINDOWS)) rule.params = rule.params.replace(name, width);
      if (rule.params.includes("(--")) this.error(`There is no window ${rule.params}`);
    });
    return sheet.toString();
  },
};

/**
 * Schemas are compiled into functions where that is allowed. Trying it is refused by the server's content policy and
 * shows in every browser's console, so here it is not tried.
 */
const schemasAsTheyAre: Plugin = {
  name: "schemas-as-they-are",
  transform(code, id) {
    if (!/zod[\\/]v4[\\/]core[\\/]core\.js$/.test(id)) return;
    if (!code.includes("export const globalConfig ="))
      this.error("core.js of zod has changed: see to jitless");
    return `${code}\nglobalConfig.jitless = true;\n`;
  },
};

export default defineConfig({
  base: "/sams/",
  plugins: [react(), nonceOnStyles, looksOfTheUsed, namedWindows, schemasAsTheyAre],
  // the server puts a fresh nonce in its place with every page
  html: { cspNonce: "__NONCE__" },
  build: {
    outDir: "dist/console",
    emptyOutDir: true,
    manifest: true,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // the console, and what stands outside it for who has no login
      input: ["index.html", "esign.html"],
      output: { codeSplitting: { groups } },
    },
  },
});
