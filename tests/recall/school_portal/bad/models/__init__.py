"""The school portal: 2,400 schools with 1.2 million pupils; one file for each team's part."""
