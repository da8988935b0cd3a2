"""Data models of the Tidewater fitness clubs: 420 clubs, 1.8 million members."""
