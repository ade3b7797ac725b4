import net from "node:net";
import { expect, test } from "vitest";
import { mailDriver } from "./mail.ts";
import { mayPass } from "./transient.ts";
import { readSettings } from "../process/settings.ts";

/** A mail server of a few words: takes everything except for the addresses it knows no box of, or has no time for. */
async function smtpServer() {
  const taken: string[] = [];
  const server = net.createServer((socket) => {
    let data: string | undefined;
    socket.write("220 here\r\n");
    socket.on("data", (chunk) => {
      const text = chunk.toString();
      if (data !== undefined) {
        data += text;
        if (!data.endsWith("\r\n.\r\n")) return;
        taken.push(data);
        data = undefined;
        socket.write("250 taken\r\n");
        return;
      }
      for (const line of text.split("\r\n").filter(Boolean)) {
        const word = line.slice(0, 4).toUpperCase();
        if (word === "DATA") {
          data = "";
          socket.write("354 go on\r\n");
        } else if (word === "QUIT") socket.end("221 bye\r\n");
        else if (line.includes("nobody@")) socket.write("550 no such box\r\n");
        else if (line.includes("later@")) socket.write("451 not now\r\n");
        else socket.write("250 ok\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return { taken, port, close: () => server.close() };
}

test("e-mail with an attachment reaches the server; what it refuses is thrown with its reason", async () => {
  const server = await smtpServer();
  const driver = mailDriver(
    readSettings({
      MAIL_DRIVER: "smtp",
      MAIL_HOST: "127.0.0.1",
      MAIL_PORT: String(server.port),
      MAIL_PLAIN: "true",
      MAIL_FROM: "service@example.com",
    }),
  );
  expect(driver.keeps).toBe(false);
  const mail = {
    subject: "对账单",
    text: "请查收",
    files: [{ name: "a.pdf", type: "application/pdf", bytes: Buffer.from("%PDF-") }],
  };
  expect(await driver.send({ ...mail, to: "somebody@example.com" })).toContain("@");
  expect(server.taken[0]).toContain("To: somebody@example.com");
  expect(server.taken[0]).toContain(Buffer.from("%PDF-").toString("base64"));
  const never = await driver.send({ ...mail, to: "nobody@example.com" }).catch((error: unknown) => error);
  const later = await driver.send({ ...mail, to: "later@example.com" }).catch((error: unknown) => error);
  expect([(never as Error).message, mayPass(never)]).toEqual([expect.stringContaining("550"), false]);
  expect([(later as Error).message, mayPass(later)]).toEqual([expect.stringContaining("451"), true]);
  server.close();
});

test("a server that is away may be back; a driver without a server sends nothing", async () => {
  const gone = mailDriver(
    readSettings({
      MAIL_DRIVER: "smtp",
      MAIL_HOST: "127.0.0.1",
      MAIL_PORT: "1",
      MAIL_PLAIN: "true",
      MAIL_FROM: "service@example.com",
    }),
  );
  const error = await gone
    .send({ to: "a@example.com", subject: "", text: "" })
    .catch((cause: unknown) => cause);
  expect(mayPass(error)).toBe(true);
  const kept = mailDriver(readSettings({}));
  expect(kept.keeps).toBe(true);
  expect(await kept.send({ to: "a@example.com", subject: "", text: "" })).toBeTruthy();
});
