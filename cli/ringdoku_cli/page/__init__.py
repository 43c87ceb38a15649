"""The page of `ringdoku page`: a local server, the process that answers, and the files of the page."""
