"""The stack of an environment: `pulumi up -s dev`."""

import keywright.pulumi

keywright.pulumi.provision()
