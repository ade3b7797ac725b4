import issueJobs from "../domains/finance/bill-list/bill.job.ts";
import { openHouse } from "../platform/server/process/house.ts";
import { perform } from "../platform/server/jobs/jobs.ts";
import { readSettings } from "../platform/server/process/settings.ts";

// A process of its own that issues bills as the nightly job does, on the day it is told. It is there to be killed.
const house = await openHouse(readSettings(process.env), {
  work: false,
  clock: () => new Date(process.argv[2]!),
});
process.stdout.write("running\n");
await perform(house, issueJobs[0]!, {}, "bill-run");
process.stdout.write("done\n");
await house.close();
process.exit(0);
