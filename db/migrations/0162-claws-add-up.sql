-- A line that was settled before its leaving was undone stays, and a later leaving or the voiding of the contract takes what is left.
-- What leavings have taken is summed under the lock of the commission; that they never take more than it is stands in commission_claw_fits.
drop index if exists commission_left_early;
