type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value };

/** Characters that XML cannot carry are left out. */
const escaped = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex -- exactly those
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

function element(name: string, value: Value): string {
  if (value === null || value === undefined) return `<${name}/>`;
  if (Array.isArray(value)) return `<${name}>${value.map((v) => element("item", v)).join("")}</${name}>`;
  if (typeof value === "object")
    return `<${name}>${Object.entries(value)
      .map(([key, v]) => element(key, v))
      .join("")}</${name}>`;
  return `<${name}>${escaped(String(value))}</${name}>`;
}

/** The same tree as its JSON: keys are elements, the items of a list are called item. */
export const xmlOf = (root: string, value: Value): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value)}\n`;
