import type { Envelope } from "../../kernel/call.ts";
import { Failure } from "../calls/failure.ts";
import { addressOf, failureOf, type Wire } from "../calls/request.ts";

/** Sends one file without a token and tells how much of it is under way, 0 to 1. Throws a Failure, as `send` does. */
export function sendWithProgress<R>(
  wire: Wire,
  params: Record<string, unknown>,
  file: File,
  told: (part: number) => void,
): Promise<R> {
  const body = new FormData();
  body.append("file", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(wire.method, addressOf(wire, params));
    request.timeout = wire.timeout ?? 300_000;
    request.upload.addEventListener("progress", ({ loaded, total }) => told(total ? loaded / total : 0));
    request.addEventListener("error", () =>
      reject(new Failure("offline", "网络连接失败，请检查网络后重试", 0)),
    );
    request.addEventListener("timeout", () => reject(new Failure("timeout", "请求超时，请稍后再试", 0)));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 200) resolve((JSON.parse(responseText) as Envelope<R>).data);
      else
        failureOf(
          new Response(responseText, {
            status,
            headers: { "x-request-id": request.getResponseHeader("x-request-id") ?? "" },
          }),
        ).then(reject, reject);
    });
    request.send(body);
  });
}
