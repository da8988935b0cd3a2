"""The stack of an environment: `pulumi up -s dev`."""

import pulumi

import keywright.pulumi

tables = keywright.pulumi.provision().tables

# What the service that shows orders may do, and nothing else: for its role.
pulumi.export("order_reader", tables.policy("orders_of_user", "order_by_id"))
