# SPDX-License-Identifier: BSD-3-Clause
"""What mdplot, mdreport and mdtop share: reading the results of mdrun, the statistics of their
series, local order, and the parts of a page."""
