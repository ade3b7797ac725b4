import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Brand } from "../../kernel/texts/brand.ts";
import { filesFor, linksTo, NOTHING, readAhead, tableIn } from "./preload.ts";

/** Pages of their own outside the console, for who has no login: /esign/s/{code}. */
const APART = { file: "esign.html", at: "/esign/:kind/:token" };

const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

const pathOf = (url: string) => url.replace(/[?#].*$/, "").slice("/sams".length);
/** Says only which files will be wanted: what a token may see is decided with every call. */
const signedIn = (cookies = "") => /(?:^|; )hzsk_token=[^;]/.test(cookies);

/**
 * A file of the build as it stands on the disk: read anew once another build has taken its place, and as it was while the next one
 * is still being written.
 */
function latest<T>(file: string, read: () => T): () => T | undefined {
  let seen: number | undefined;
  let kept: T | undefined;
  return () => {
    const now = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (now === undefined || now === seen) return kept;
    try {
      kept = read();
      seen = now;
    } catch {
      // half written: the next request looks again
    }
    return kept;
  };
}
const textOf = (file: string) => latest(file, () => readFileSync(file, "utf8") || undefined);

/** Serves the built console under /sams/: files of the build for good, every other path is the one page, in the brand of its host. */
export async function servePages(
  app: FastifyInstance,
  folder: string,
  brandAt: (host: string) => Brand,
): Promise<void> {
  const plain = textOf(path.join(folder, "index.html"));
  if (plain() === undefined) throw new Error(`no console in ${folder}`);
  const apart = textOf(path.join(folder, APART.file));
  const inBrand = (brand: Brand, page: string) =>
    page
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(brand.productTitle)}</title>`)
      .replace("<title>", () => `<meta name="api-base" content="${escaped(brand.apiBase)}" /><title>`)
      .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="/sams/brand/${brand.favicon}" />`);
  const ahead = latest(tableIn(folder), () => readAhead(folder));
  await app.register(fastifyStatic, {
    root: folder,
    prefix: "/sams/",
    // one route for each file of the build at the start; every other address below /sams/ is the page
    wildcard: false,
    index: false,
    globIgnore: ["**/index.html", `**/${APART.file}`, "**/*.{gz,br}", ".vite/**"],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) =>
      void reply.header(
        "cache-control",
        file.includes(`${path.sep}assets${path.sep}`)
          ? "public, max-age=31536000, immutable"
          : "public, max-age=3600",
      ),
  });
  app.get("/", (_request, reply) => reply.redirect("/sams/"));
  app.get("/sams", (_request, reply) => reply.redirect("/sams/"));
  app.get("/sams/*", { config: { rateLimit: false } }, (request, reply) => {
    // of a build that came since the start, or of one that is gone: a page in its place would only confuse
    if (request.url.startsWith("/sams/assets/")) return reply.sendFile(pathOf(request.url).slice(1));
    const brand = brandAt(request.hostname);
    const nonce = guard(reply, brand);
    const links = linksTo(
      filesFor(ahead() ?? NOTHING, pathOf(request.url), signedIn(request.headers.cookie)),
    );
    return inBrand(brand, plain()!).replaceAll("__NONCE__", nonce).replace("</title>", `</title>${links}`);
  });
  if (apart() === undefined) return;
  app.get(APART.at, (request, reply) => {
    const brand = brandAt(request.hostname);
    return inBrand(brand, apart()!).replaceAll("__NONCE__", guard(reply, brand));
  });
}

/** What a page may load and talk to. Answers the nonce that lets it write styles. */
function guard(reply: FastifyReply, brand: Brand): string {
  // calls, and the pictures and files they answer, may come from where the brand says they do
  const calls = brand.apiBase && ` ${new URL(brand.apiBase).origin}`;
  const nonce = randomBytes(16).toString("base64");
  reply.header(
    "content-security-policy",
    [
      // Scripts and style sheets come from this server alone; the nonce lets the component library write its styles.
      "default-src 'self'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "style-src-attr 'unsafe-inline'",
      `img-src 'self' data: blob:${calls}`,
      "font-src 'self' data:",
      `connect-src 'self'${calls}`,
      "frame-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
  );
  reply.header("cache-control", "no-cache").type("text/html; charset=utf-8");
  return nonce;
}
