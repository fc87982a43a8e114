"""Where bots run: confined processes, forked from a zygote that holds no secret."""
