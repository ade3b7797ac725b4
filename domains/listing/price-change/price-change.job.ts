import { job } from "../../../platform/server/jobs.ts";
import { announceDue } from "./announce.service.ts";

export default [
  job({ name: "price.announce", title: "新价格生效通知", cron: "0 8 * * *", work: announceDue }),
];
