import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { Brand } from "../../kernel/texts/brand.ts";
import { filesFor, linksTo, readAhead } from "./preload.ts";

const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

const pathOf = (url: string) => url.replace(/[?#].*$/, "").slice("/sams".length);
/** Says only which files will be wanted: what a token may see is decided with every call. */
const signedIn = (cookies = "") => /(?:^|; )hzsk_token=[^;]/.test(cookies);

/** Serves the built console under /sams/: files of the build for good, every other path is the one page, in the brand of its host. */
export async function servePages(
  app: FastifyInstance,
  folder: string,
  brandAt: (host: string) => Brand,
): Promise<void> {
  const plain = await readFile(path.join(folder, "index.html"), "utf8");
  const inBrand = (brand: Brand) =>
    plain
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(brand.productTitle)}</title>`)
      .replace("<title>", () => `<meta name="api-base" content="${escaped(brand.apiBase)}" /><title>`)
      .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="/sams/brand/${brand.favicon}" />`);
  const ahead = readAhead(folder);
  await app.register(fastifyStatic, {
    root: folder,
    prefix: "/sams/",
    // one route for each file of the build; every other address below /sams/ is the page
    wildcard: false,
    index: false,
    globIgnore: ["**/index.html", "**/*.{gz,br}", ".vite/**"],
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
    // a page in place of a script that an older build named would only confuse
    if (request.url.startsWith("/sams/assets/")) return reply.callNotFound();
    // Scripts and style sheets come from this server alone; the nonce lets the component library write its styles.
    const brand = brandAt(request.hostname);
    // calls, and the pictures and files they answer, may come from where the brand says they do
    const calls = brand.apiBase && ` ${new URL(brand.apiBase).origin}`;
    const nonce = randomBytes(16).toString("base64");
    reply.header(
      "content-security-policy",
      [
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
    const links = linksTo(filesFor(ahead, pathOf(request.url), signedIn(request.headers.cookie)));
    return inBrand(brand).replaceAll("__NONCE__", nonce).replace("</title>", `</title>${links}`);
  });
}
