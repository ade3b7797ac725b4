import type { FastifyReply, FastifyRequest } from "fastify";
import type { Raw } from "../pipeline/act.ts";
import type { House } from "../pipeline/pipeline.ts";

/** A year: browsers remember that this host is reached by TLS alone. */
export const HSTS = "max-age=31536000";
/** Where the calls of the log-in lie: no other is sent its cookies. */
export const LOGIN = "/system/api/v4/login";

/** Whether people come by TLS: the setting says so, or a proxy that is believed. */
export const overTls = ({ settings }: Pick<House, "settings">, { protocol }: FastifyRequest): boolean =>
  protocol === "https" || (settings.PUBLIC_URL?.startsWith("https:") ?? false);

/** Cookies of the log-in, out of reach of scripts and of other sites. */
export const cookies = (
  house: House,
  request: FastifyRequest,
  reply: FastifyReply,
): Pick<Raw, "cookie" | "setCookie"> => ({
  cookie: (name) => `; ${request.headers.cookie ?? ""}`.split(`; ${name}=`)[1]?.split(";")[0] ?? "",
  setCookie: (name, value, seconds) => {
    const secure = overTls(house, request) ? "; Secure" : "";
    const how = `Max-Age=${seconds}; Path=${LOGIN}; HttpOnly; SameSite=Lax${secure}`;
    reply.header("set-cookie", `${name}=${value}; ${how}`);
  },
});
