import { expect, test, vi } from "vitest";
import { TEXTS } from "../../checks/specification/texts.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { Failure, sentence, showFailure } from "./failure.ts";

vi.mock("../parts/toast.ts", () => ({ toast: vi.fn<() => void>() }));
const { toast } = await import("../parts/toast.ts");

test("a refusal warns, a failure is an error, and a 401 shows nothing more", () => {
  showFailure(new Failure("http401", "未授权，请重新登录(401)", 401));
  expect(toast).not.toHaveBeenCalled();
  showFailure(new Refusal("roomTaken", "房间已被占用"));
  expect(toast).toHaveBeenLastCalledWith("房间已被占用", "warning");
  showFailure(new Failure("http500", "服务器错误(500)", 500));
  expect(toast).toHaveBeenLastCalledWith("服务器错误(500)", "error");
  showFailure(new TypeError("x is not a function"));
  expect(toast).toHaveBeenLastCalledWith(TEXTS["error.default"][0], "error");
});

test("the server's own sentence is shown where there is one", () => {
  expect(sentence(new Failure("a", "今天的短信已发完", 409))).toBe("今天的短信已发完");
  expect(sentence(new Failure("a", "", 409))).toBe(TEXTS["error.default"][0]);
  expect(sentence("broken")).toBe(TEXTS["error.default"][0]);
});
