import { randomUUID } from "node:crypto";
import type { Settings } from "../process/settings.ts";

export type Mail = {
  to: string;
  subject: string;
  text: string;
  files?: readonly { name: string; type: string; bytes: Buffer }[];
};

/** Sends e-mail. Throws with the server's reason when one cannot be sent. */
export type MailDriver = {
  /** True when nothing leaves this house: what was sent is for administrators to read. */
  keeps: boolean;
  /** Answers the server's number of the message. */
  send: (mail: Mail) => Promise<string>;
};

const WAIT_MS = 15_000;
/** The port on which a connection is encrypted from its first byte; others begin plain and are then encrypted. */
const TLS_PORT = 465;

export function mailDriver(settings: Settings): MailDriver {
  if (settings.MAIL_DRIVER === "outbox") return { keeps: true, send: async () => randomUUID() };
  const { MAIL_HOST, MAIL_PORT, MAIL_USER, MAIL_PASSWORD, MAIL_FROM, MAIL_PLAIN } = settings;
  return {
    keeps: false,
    send: async ({ to, subject, text, files = [] }) => {
      // only where mail is sent: 5 MB of every worker
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        host: MAIL_HOST!,
        port: MAIL_PORT,
        secure: MAIL_PORT === TLS_PORT,
        requireTLS: !MAIL_PLAIN,
        ...(MAIL_USER && { auth: { user: MAIL_USER, pass: MAIL_PASSWORD ?? "" } }),
        connectionTimeout: WAIT_MS,
        greetingTimeout: WAIT_MS,
        socketTimeout: WAIT_MS,
        // a text names no file or address to be fetched
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        const { messageId } = await transport.sendMail({
          from: MAIL_FROM!,
          to,
          subject,
          text,
          attachments: files.map(({ name, type, bytes }) => ({
            filename: name,
            contentType: type,
            content: bytes,
          })),
        });
        return messageId;
      } finally {
        transport.close();
      }
    },
  };
}
