/** The part of nodemailer that mail.ts uses. */
declare module "nodemailer" {
  type Options = {
    host: string;
    port: number;
    secure: boolean;
    requireTLS: boolean;
    auth?: { user: string; pass: string };
    connectionTimeout: number;
    greetingTimeout: number;
    socketTimeout: number;
    disableFileAccess: boolean;
    disableUrlAccess: boolean;
  };
  type Message = {
    from: string;
    to: string;
    subject: string;
    text: string;
    attachments?: { filename: string; contentType: string; content: Buffer }[];
  };
  export function createTransport(options: Options): {
    sendMail: (message: Message) => Promise<{ messageId: string }>;
    close: () => void;
  };
}
