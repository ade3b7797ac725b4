import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import compress from "@fastify/compress";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import fastify, {
  errorCodes,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { pino } from "pino";
import type { Envelope, Call } from "../../kernel/call.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { cookies, HSTS, overTls } from "./security-headers.ts";
import { measure } from "./metrics.ts";
import { loggedPath } from "../pipeline/operation-log.ts";
import { writtenOnce } from "../pipeline/prepared-answer.ts";
import { admitConsoles } from "./origins.ts";
import { outageOf } from "./outage.ts";
import { run, type Answer, type House, type Request } from "../pipeline/pipeline.ts";
import { limitRates, type RateLimits } from "./rate-limit.ts";
import type { Served } from "../pipeline/serve.ts";
import type { Upload } from "../pipeline/act.ts";

type Limit = NonNullable<Call["upload"]>;
/** Bytes of a request with as many and as large files as its call takes, and fields beside them. */
const mostOf = (limit: Limit) => limit.maxBytes * limit.maxFiles + 100_000;

/** Files and fields of a multipart request. Refused when it is none, or has more or larger files than the call takes. */
async function uploads(request: FastifyRequest, limit: Limit) {
  if (!request.isMultipart()) throw new Refusal("invalid", "请上传文件", 400);
  const tooLarge = () => new Refusal("tooLarge", `文件大小不能超过${limit.maxBytes / 2 ** 20}M`, 413);
  // what says that it is too large is not read at all
  if (Number(request.headers["content-length"]) > mostOf(limit)) throw tooLarge();
  const body: Record<string, unknown> = {};
  const files: Upload[] = [];
  try {
    for await (const part of request.parts({ limits: { fileSize: limit.maxBytes, files: limit.maxFiles } })) {
      if (part.type !== "file") {
        body[part.fieldname] = part.value;
        continue;
      }
      const bytes = await part.toBuffer();
      files.push({ field: part.fieldname, name: part.filename, type: part.mimetype, bytes });
    }
  } catch (error) {
    if ((error as { code?: string }).code === "FST_REQ_FILE_TOO_LARGE") throw tooLarge();
    // what the parser cannot read was sent wrong; only limits carry a status of their own
    if ((error as { statusCode?: number }).statusCode) throw error;
    throw new Refusal("invalid", "请求格式不正确", 400);
  }
  return { body, files };
}

const ERROR = "请求出现错误，请稍后再试";
/** Bodies of calls without files. */
const BODY_LIMIT = 2 * 1024 * 1024;

type HttpOptions = {
  logLevel: string;
  perMinute: number;
  trustProxy?: string;
  logTo?: NodeJS.WritableStream;
};

/** The HTTP server over the calls. It does not listen yet. */
export async function createHttp(
  house: House,
  served: Served[],
  options: HttpOptions,
): Promise<FastifyInstance> {
  const app = fastify({
    // Addresses are logged without their query, bodies not at all: no personal data in logs.
    loggerInstance: pino(
      {
        level: options.logLevel,
        serializers: {
          req: (r: FastifyRequest) => ({
            method: r.method,
            url: loggedPath(r.url.split("?")[0]!, r.params),
          }),
          err: causeOf,
        },
      },
      options.logTo ?? process.stdout,
    ) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: options.logLevel !== "debug" }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 300_000,
    forceCloseConnections: "idle",
    trustProxy: options.trustProxy ?? "loopback",
    genReqId: () => randomUUID(),
    // an address that cannot be read never reaches a route
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
    routerOptions: { maxParamLength: 200 },
  });
  await app.register(helmet, {
    contentSecurityPolicy: false, // set with the page's nonce where pages are served
    hsts: false, // set below, where people come by TLS
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "same-origin" },
  });
  admitConsoles(app, house.settings);
  const limits = await limitRates(app, options.perMinute, { tokenOf, addressOf });
  await app.register(compress, { global: true, threshold: 2048, encodings: ["br", "gzip"] });
  await app.register(multipart, { limits: { fieldSize: 100_000, fields: 20, parts: 40 } });
  keepBytes(app);
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    refuse(new Refusal("notFound", "接口不存在", 404), request, reply),
  );
  app.addHook("onSend", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (overTls(house, request)) reply.header("strict-transport-security", HSTS);
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
  for (const s of served) route(app, house, s, options.perMinute > 0 ? limits : undefined);
  return app;
}

function route(app: FastifyInstance, house: House, served: Served, limits: RateLimits | undefined) {
  const { call } = served;
  const handled = new WeakSet<FastifyRequest>();
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    load: Request["load"],
  ): Promise<Answer> => {
    const end = measure(call);
    handled.add(request);
    try {
      const done = await run(house, served, {
        token: tokenOf(request),
        session: limits,
        attended: request.headers["x-unattended"] !== "1",
        idempotencyKey: request.headers["idempotency-key"] as string | undefined,
        path: request.url.split("?")[0]!,
        params: request.params,
        query: request.query,
        load,
        raw: {
          body: BYTES.get(request) ?? "",
          header: (name) => [request.headers[name]].flat()[0],
          ...cookies(house, request, reply),
        },
        ip: addressOf(request),
        host: request.hostname,
        userAgent: request.headers["user-agent"] ?? "",
        requestId: request.id,
        gone: call.effect === "read" ? goneOf(reply) : undefined,
      });
      end(200);
      return done;
    } catch (error) {
      end(knownOf(error)?.status ?? 500);
      throw error;
    }
  };
  app.route({
    method: call.method,
    url: call.path,
    // nobody asks for an answer without its body
    exposeHeadRoute: false,
    // without a general limit there is no special one either: measures and checks ask as fast as they can
    config: {
      keepsBytes: call.raw,
      public: call.needs === "public",
      ...(call.perMinute && limits && { rateLimit: { max: call.perMinute, timeWindow: "1 minute" } }),
    },
    ...(call.upload && { bodyLimit: mostOf(call.upload) }),
    handler: async (request, reply) =>
      // files are read only once the caller is known to be allowed to send them
      send(
        reply,
        await answer(request, reply, async () =>
          call.upload ? await uploads(request, call.upload) : { body: request.body, files: [] },
        ),
      ),
    // a body that cannot be read fails before the handler; it goes the way of any other request, into the log too
    errorHandler: (error, request, reply) =>
      handled.has(request) || error instanceof Refusal
        ? refuse(error, request, reply)
        : answer(request, reply, () => Promise.reject(fromFastify(error) ?? error)).catch((why: unknown) =>
            refuse(why, request, reply),
          ),
  });
}

/** Says when a caller has left before the answer. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => raw.writableEnded || gone.abort());
  return gone.signal;
}

/** Bodies as they came, of calls that look at every byte. */
const BYTES = new WeakMap<FastifyRequest, string>();

/** Reads JSON as fastify does, and keeps the bytes where the call wants them. */
function keepBytes(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const { keepsBytes } = request.routeOptions.config as { keepsBytes?: boolean };
    if (keepsBytes) BYTES.set(request, body as string);
    void parse(request, body as string, done);
  });
  // some services tell of what happened as a form; nobody else sends one
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (request, body, done) => {
      const { keepsBytes } = request.routeOptions.config as { keepsBytes?: boolean };
      if (!keepsBytes)
        return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE("application/x-www-form-urlencoded"));
      BYTES.set(request, body as string);
      done(null, undefined);
    },
  );
}

/** Where a request comes from. A proxy that passes on what is no address is not believed. */
const addressOf = ({ ip, socket }: FastifyRequest): string => (isIP(ip) ? ip : (socket.remoteAddress ?? ""));

/** A failure as it is logged: what the database adds about the row that it refused is personal data. */
const causeOf = (error: Error & { code?: string; constraint?: string; table?: string }) => ({
  type: error.name,
  message: error.message,
  code: error.code,
  table: error.table,
  constraint: error.constraint,
  stack: error.stack,
});

/** The token is read from the Authorization header only: a foreign page can do nothing with the cookie. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header ? header.replace(/^Bearer\s+/i, "") : undefined;
}

const enveloped = (data: unknown) => ({ code: 200, message: "ok", data }) satisfies Envelope<unknown>;

async function send(reply: FastifyReply, { data, replayed, file }: Answer) {
  if (!file) {
    const accepts = String(reply.request.headers["accept-encoding"] ?? "");
    const written = await writtenOnce(data, accepts, (all) => JSON.stringify(enveloped(all)));
    if (!written) return { ...enveloped(data), ...(replayed && { replayed }) };
    reply.header("content-type", written.type).header("vary", "accept-encoding");
    if (written.encoding) reply.header("content-encoding", written.encoding);
    return written.body;
  }
  const name = encodeURIComponent(file.name);
  reply.header("content-type", file.type);
  reply.header("content-disposition", `${file.inline ? "inline" : "attachment"}; filename*=UTF-8''${name}`);
  reply.header("x-content-type-options", "nosniff");
  for (const [key, value] of Object.entries(file.headers ?? {})) reply.header(key, value);
  const { etag } = file.headers ?? {};
  // not sent again to a browser that has it
  if (etag && reply.request.headers["if-none-match"] === etag) return reply.status(304).send();
  return reply.send(
    typeof file.body === "string" || file.body instanceof Uint8Array
      ? file.body
      : Readable.from(file.body, { objectMode: false }),
  );
}

/** What is answered to a failure; undefined for a bug. */
const knownOf = (error: unknown): Refusal | undefined =>
  error instanceof Refusal ? error : (fromFastify(error) ?? outageOf(error));

/** One place turns every failure into an answer. A bug and an outage are logged; a bug is answered neutrally. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = knownOf(error);
  const status = known?.status ?? 500;
  if (known !== error && status >= 500)
    request.log.error({ err: error, requestId: request.id }, known?.code ?? "unexpected");
  return reply.status(status).send({
    code: status,
    message: known?.message ?? ERROR,
    data: known?.data ?? null,
    reason: known?.code ?? "failed",
    ...(known?.fields.length && { fields: known.fields }),
    requestId: request.id,
  } satisfies Envelope<unknown>);
}

function fromFastify(error: unknown): Refusal | undefined {
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new Refusal("tooLarge", "上传内容过大", 413);
  if (code === "FST_FILES_LIMIT") return new Refusal("tooMany", "上传文件过多", 400);
  if (statusCode === 415) return new Refusal("invalid", "不支持的内容类型", 415);
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new Refusal("invalid", "请求格式不正确", statusCode);
  return undefined;
}
