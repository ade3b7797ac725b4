import { randomUUID } from "node:crypto";
import type { Settings } from "../process/settings.ts";
import { sent } from "./sms-aliyun.ts";

/** What a text message is made of: which text, and what stands in its gaps. */
export type Sms = { phone: string; template: string; params: Record<string, string> };

/** A text of one's own; providers take only texts that were registered with them. */
export const FREE_TEXT = "text";

/** Sends text messages. Throws with the provider's reason when one cannot be sent. */
export type SmsDriver = {
  /** True when nothing leaves this house: what was sent is for administrators to read. */
  keeps: boolean;
  /** Answers the provider's number of the message. */
  send: (sms: Sms) => Promise<string>;
};

export function smsDriver(settings: Settings): SmsDriver {
  if (settings.SMS_DRIVER === "outbox") return { keeps: true, send: async () => randomUUID() };
  const { SMS_ENDPOINT, SMS_ACCESS_KEY, SMS_SECRET_KEY, SMS_SIGN, SMS_CODE_TEMPLATE } = settings;
  const account = { endpoint: SMS_ENDPOINT, accessKey: SMS_ACCESS_KEY!, secretKey: SMS_SECRET_KEY! };
  return {
    keeps: false,
    send: async ({ phone, template, params }) => {
      if (template === FREE_TEXT) throw new Error("该通道只能发送已报备模板的短信");
      // the registered text of codes has one variable
      const known =
        template === "code"
          ? { template: SMS_CODE_TEMPLATE!, params: { code: params["code"]! } }
          : { template, params };
      return sent(account, { phone, sign: SMS_SIGN!, ...known });
    },
  };
}
