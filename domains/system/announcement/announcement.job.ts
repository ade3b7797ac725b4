import { job } from "../../../platform/server/jobs.ts";
import { tellDue } from "./announcement.service.ts";

export default [
  // the cron finds those whose time has come since
  job({ name: "announcements.tell", cron: "* * * * *", on: ["announcement.saved"], work: tellDue }),
];
