import { job } from "../../../platform/server/jobs/jobs.ts";

const DAY = 86_400_000;
const SESSION_DAYS = 30;

export default [
  job({
    name: "sessions.sweep",
    title: "清理过期会话",
    cron: "10 3 * * *",
    /** What nobody can use or ask about any more; the operation log keeps who came in. */
    work: async ({ tx, now }) => {
      const ago = (days: number) => new Date(now.getTime() - days * DAY).toISOString();
      await tx.deleteFrom("captcha").where("expiresAt", "<", ago(0)).execute();
      await tx.deleteFrom("ssoAttempt").where("expiresAt", "<", ago(0)).execute();
      await tx.deleteFrom("ssoTicket").where("expiresAt", "<", ago(0)).execute();
      await tx.deleteFrom("loginFailure").where("at", "<", ago(1)).execute();
      await tx.deleteFrom("loginLock").where("until", "<", ago(1)).execute();
      await tx
        .deleteFrom("loginSession")
        .where((eb) =>
          eb(eb.fn("least", ["expiresAt", eb.fn.coalesce("endedAt", "expiresAt")]), "<", ago(SESSION_DAYS)),
        )
        .execute();
    },
  }),
];
