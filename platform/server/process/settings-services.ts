import { z, type ZodType } from "zod";

export type Row<S extends ZodType> = {
  shape: S;
  must: string;
  about: string;
  fallback?: string;
  secret?: boolean;
};

/** A setting that has a value even when nobody sets it. */
export const set = <S extends ZodType>(fallback: string, shape: S, must: string, about: string): Row<S> => ({
  shape,
  must,
  about,
  fallback,
});
export const option = <S extends ZodType>(shape: S, must: string, about: string) => ({
  shape: shape.optional(),
  must,
  about,
});
/** A setting whose value never appears in a message. */
export const secret = <S extends ZodType>(shape: S, must: string, about: string) => ({
  ...option(shape, must, about),
  secret: true,
});

export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const word = z.string().min(1);
export const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
/** The origin of an address, and nothing behind it. */
export const origin = webAddress
  .refine((url) => new URL(url).origin === url.toLowerCase())
  .transform((url) => url.toLowerCase());
export const isLocal = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

/** Settings of what the product can be connected to; without them it does all of it by itself. */
export const services = {
  FILE_STORE: set(
    "local",
    z.enum(["local", "s3"]),
    "local or s3",
    "Where uploads and exports are kept: DATA_DIR/files, or a bucket that speaks S3.",
  ),
  S3_ENDPOINT: option(webAddress, "an http or https address", "Address of the S3 service."),
  S3_BUCKET: option(word, "the name of a bucket", "Bucket of the files."),
  S3_REGION: set("us-east-1", word, "the name of a region", "Region that requests are signed for."),
  S3_ACCESS_KEY: secret(word, "an access key", "Access key of the bucket."),
  S3_SECRET_KEY: secret(word, "a secret key", "Secret key of the bucket."),
  WECHATPAY_ENDPOINT: set(
    "https://api.mch.weixin.qq.com",
    webAddress,
    "an http or https address",
    "Address of WeChat Pay's API v3; who takes money by it is set with the receiving accounts.",
  ),
  EMBEDDED_TILL: option(
    z.stringbool(),
    "true or false",
    "Lets customers settle at the embedded till, which moves no money outside: whoever holds a code can say it is paid. On in the demo, off in production unless set.",
  ),
  SMS_DRIVER: set(
    "outbox",
    z.enum(["outbox", "aliyun"]),
    "outbox or aliyun",
    "What sends text messages: the embedded outbox, which only keeps them for administrators to read, or Alibaba Cloud.",
  ),
  SMS_ENDPOINT: set(
    "https://dysmsapi.aliyuncs.com",
    webAddress,
    "an http or https address",
    "Address of the SMS service.",
  ),
  SMS_ACCESS_KEY: secret(word, "an access key", "Access key of the SMS service."),
  SMS_SECRET_KEY: secret(word, "a secret key", "Secret key of the SMS service."),
  SMS_SIGN: option(word, "a registered signature", "Signature that stands before every text message."),
  SMS_CODE_TEMPLATE: option(
    word,
    "a template code",
    "The provider's template for codes, with the variable code.",
  ),
  SMS_NOTICE_TEMPLATE: option(
    word,
    "a template code",
    "The provider's template for messages to staff, with the variable title.",
  ),
  SMS_LINK_TEMPLATE: option(
    word,
    "a template code",
    "The provider's template for one-time links, with the variables enterprise, name, link and hours.",
  ),
  SMS_PER_MINUTE: set(
    "600",
    whole(1, 100_000),
    "a number from 1 to 100000",
    "Text messages of a push that are sent in a minute.",
  ),
  MAIL_DRIVER: set(
    "outbox",
    z.enum(["outbox", "smtp"]),
    "outbox or smtp",
    "What sends e-mail: the embedded outbox, which only keeps it for administrators to read, or an SMTP server.",
  ),
  MAIL_HOST: option(word, "a host name", "Host of the SMTP server."),
  MAIL_PORT: set(
    "465",
    whole(1, 65_535),
    "a number from 1 to 65535",
    "Its port; 465 is encrypted from the start, others by STARTTLS.",
  ),
  MAIL_PLAIN: set(
    "false",
    z.stringbool(),
    "true or false",
    "Sends without encryption, for a server on this machine.",
  ),
  MAIL_USER: option(word, "an account", "Account at the SMTP server."),
  MAIL_PASSWORD: secret(word, "a password", "Password of the account."),
  MAIL_FROM: option(word, "a sender", "Sender of every e-mail, such as service@company.example."),
  MAIL_PER_MINUTE: set(
    "120",
    whole(1, 100_000),
    "a number from 1 to 100000",
    "E-mails of a push that are sent in a minute.",
  ),
  SSO_ISSUER: option(
    webAddress,
    "an http or https address",
    "OpenID Connect issuer that people may sign in with; without it only the own log-in is there.",
  ),
  SSO_CLIENT_ID: option(word, "a client id", "This product's name at the issuer."),
  SSO_CLIENT_SECRET: secret(word, "a client secret", "This product's secret at the issuer."),
  SSO_NAME: set("企业账号", word, "a short name", "What the log-in page calls the issuer."),
  SSO_CLAIM: set(
    "preferred_username",
    z.enum(["preferred_username", "phone_number", "email"]),
    "preferred_username, phone_number or email",
    "What the issuer knows people by: their account, phone or e-mail here.",
  ),
};

type Services = { [K in keyof typeof services]: z.output<(typeof services)[K]["shape"]> };

/** What is missing of a service that was chosen, a sentence each. */
export function servicesMissing(settings: Services, env: Record<string, string | undefined>): string[] {
  const wrong: string[] = [];
  if (settings.FILE_STORE === "s3")
    for (const name of ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY"] as const)
      if (!env[name]?.trim()) wrong.push(`${name} must be set when FILE_STORE is s3.`);
  if (settings.SMS_DRIVER === "aliyun")
    for (const name of ["SMS_ACCESS_KEY", "SMS_SECRET_KEY", "SMS_SIGN", "SMS_CODE_TEMPLATE"] as const)
      if (!env[name]?.trim()) wrong.push(`${name} must be set when SMS_DRIVER is aliyun.`);
  if (settings.MAIL_DRIVER === "smtp")
    for (const name of ["MAIL_HOST", "MAIL_FROM"] as const)
      if (!env[name]?.trim()) wrong.push(`${name} must be set when MAIL_DRIVER is smtp.`);
  if (settings.SSO_ISSUER) {
    for (const name of ["SSO_CLIENT_ID", "SSO_CLIENT_SECRET"] as const)
      if (!env[name]?.trim()) wrong.push(`${name} must be set with SSO_ISSUER.`);
    const { protocol, hostname } = new URL(settings.SSO_ISSUER);
    if (protocol === "http:" && !isLocal(hostname)) wrong.push("SSO_ISSUER must be an https address.");
  }
  return wrong;
}
