import { Refusal, type FieldError } from "../../kernel/refusal.ts";
import { toast } from "../parts/toast.ts";

/** What a call answered instead of its reply: an expected refusal, an HTTP error, or no answer at all (status 0). */
export class Failure extends Refusal {
  /** Names this request in the server's log; shown so that it can be read out on the phone. */
  requestId: string | undefined;

  constructor(
    code: string,
    message: string,
    status: number,
    more: { fields?: FieldError[]; data?: unknown; requestId?: string | undefined } = {},
  ) {
    super(code, message, status, { fields: more.fields ?? [], data: more.data ?? null });
    this.name = "Failure";
    this.requestId = more.requestId;
  }
}

export const NEUTRAL = "请求出现错误，请稍后再试";
const STATUS: Record<number, string> = {
  401: "未授权，请重新登录(401)",
  403: "没有权限执行此操作",
  404: "请求地址出错(404)",
  408: "请求超时(408)",
  500: "服务器错误(500)",
  501: "服务未实现(501)",
  502: "网络错误(502)",
  503: "服务不可用(503)",
  504: "网络超时(504)",
  505: "HTTP版本不受支持(505)",
};

/** What to say when the server sent no sentence of its own. */
export const statusText = (status: number): string => STATUS[status] ?? `连接出错(${status})`;

/** An answer was lost, and what is sent now is something else than what was done then. */
const DONE_BEFORE = "上次提交已经成功，与现在填写的内容不同，请关闭后核对";

/** The sentence for a person, whatever was thrown. */
export const sentence = (error: unknown): string => {
  if (!(error instanceof Refusal) || !error.message) return NEUTRAL;
  return error.code === "keyReused" ? DONE_BEFORE : error.message;
};

/** Shows what went wrong as a toast. A 401 shows nothing: its own rule has spoken already. */
export function showFailure(error: unknown): void {
  if (error instanceof Refusal && error.status === 401) return;
  const expected = error instanceof Refusal && error.status >= 400 && error.status < 500;
  toast(sentence(error), expected ? "warning" : "error");
}
