import { job } from "../../../platform/server/jobs/jobs.ts";
import { letGoHeld } from "../act/part.service.ts";

export default [
  job({
    name: "contract.heldRooms",
    title: "释放超期未签的加房占用",
    cron: "*/5 * * * *",
    work: (act) => letGoHeld(act),
  }),
];
