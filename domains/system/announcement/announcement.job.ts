import { job } from "../../../platform/server/jobs/jobs.ts";
import { tellDue } from "./announcement.service.ts";
import { announcementSaved } from "./announcement.contract.ts";

export default [
  // the cron finds those whose time has come since
  job({
    name: "announcements.tell",
    title: "定时发布公告",
    cron: "* * * * *",
    on: announcementSaved,
    work: tellDue,
  }),
];
