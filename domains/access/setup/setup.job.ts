import { job } from "../../../platform/server/jobs/jobs.ts";
import { newSetupToken } from "./setup.service.ts";

export default [
  job({
    name: "setup.link",
    atStart: true,
    /** A production house that nobody runs yet tells whoever started it where to begin. */
    work: async (act) => {
      if (act.settings.MODE !== "production") return;
      const token = await newSetupToken(act);
      if (!token) return;
      const { PUBLIC_URL, HOST, PORT } = act.settings;
      const address = PUBLIC_URL ?? `http://${HOST}:${PORT}`;
      // behind the #, so that it stands in no log of a server on the way
      process.stdout.write(
        `\nNobody runs this house yet. Open this link within 24 hours to make the first administrator; it works once:\n${address}/sams/setup#${token}\n\n`,
      );
    },
  }),
];
