"""One page per code: what is wrong, a bad and a good case, and the fix; `keywright explain CODE` prints it."""
