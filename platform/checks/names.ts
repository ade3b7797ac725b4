import { DOMAINS, NAMELESS, ROLES } from "./house.ts";
import { isCode, isGenerated } from "./tree.ts";

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const isDomain = (name: string) => (DOMAINS as readonly string[]).includes(name);

/** Words that once named files and told nobody what is in them. */
const RIDDLES =
  /^(said|rest|ahead|alone|ending|passing|kept|reach|leave|looks|mark|filled|dye|hiding|typed|around)$/;

/** What is wrong with a file of a domain: domains/<domain>/<noun>/<noun>.<role>.ts, and the domain's page of words. */
function inDomain(path: string): string | undefined {
  const [, domain = "", noun = "", file, ...deeper] = path.split("/");
  if (!isDomain(domain)) return `there is no domain ${domain}; there are ${DOMAINS.join(", ")}`;
  if (file === undefined)
    return noun === `${domain}.md` ? undefined : `only ${domain}.md stands beside the nouns`;
  if (deeper.length) return "a noun's folder is flat";
  if (!KEBAB.test(noun)) return "a noun is written in small letters with hyphens";
  if (/^[a-z0-9-]+\.css$/.test(file)) return undefined;
  const [, stem = "", role = "", test, end] = /^(.+?)\.([a-z]+)(\.test)?\.(tsx?)$/.exec(file) ?? [];
  if (RIDDLES.test(stem)) return `“${stem}” does not say what is inside`;
  if (!KEBAB.test(stem) || !(role in ROLES))
    return `a file is called noun.role.ts, and a role is one of ${Object.keys(ROLES).join(", ")}, or one of them with .test`;
  const wanted = ROLES[role as keyof typeof ROLES];
  return test || end === wanted ? undefined : `a ${role} ends in .${wanted}`;
}

/** What is wrong with a path, or nothing. */
export function wrongName(path: string): string | undefined {
  const parts = path.split("/");
  const stem = (parts.at(-1) ?? "").split(".")[0]!;
  const hidden = isCode(path) && !isGenerated(path) ? [...parts.slice(0, -1), stem] : parts.slice(0, -1);
  const nameless = hidden.find((name) => NAMELESS.test(name));
  if (nameless) return `“${nameless}” says nothing: name it after what it holds`;
  if (path.startsWith("domains/")) return inDomain(path);
  if (!path.startsWith("platform/") || !isCode(path)) return undefined;
  if (!KEBAB.test(stem)) return "a file is written in small letters with hyphens";
  if (RIDDLES.test(stem)) return `“${stem}” does not say what is inside`;
  const suffixes = (parts.at(-1) ?? "").split(".").slice(1, -1);
  const odd = suffixes.find(
    (suffix) => suffix !== "test" && suffix !== "gen" && suffix !== "d" && !(suffix in ROLES),
  );
  return odd === undefined
    ? undefined
    : `.${odd} is no role; there are ${Object.keys(ROLES).join(", ")} and test`;
}
