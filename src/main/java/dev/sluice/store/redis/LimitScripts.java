package dev.sluice.store.redis;

/** The scripts by which limits of clients are changed and followed; each ends what has run out of time first. */
final class LimitScripts {

    /**
     * Ends limits, some at a time, by the clock of Redis: so they end for all instances alike, however their clocks
     * differ. KEYS: the limits, their version, and when those end that do. ARGV[1]: what the version becomes.
     */
    private static final String END = """
            if redis.replicate_commands then redis.replicate_commands() end
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local ends = redis.pcall('ZRANGE', KEYS[3], 0, 99, 'WITHSCORES')
            if ends.err then
              redis.call('DEL', KEYS[3])
              ends = {}
            end
            for n = 1, #ends, 2 do
              if tonumber(ends[n + 1]) <= now then
                redis.call('HDEL', KEYS[1], ends[n])
                redis.call('ZREM', KEYS[3], ends[n])
                redis.call('SET', KEYS[2], ARGV[1])
              end
            end
            """;

    /** Answers with the version; with nothing if no limit was ever set. */
    static final String FOLLOW = END + "return redis.call('GET', KEYS[2])";

    /**
     * Sets or, without tiers, removes one limit: 1 if that changed something, 0 if there was nothing, -1 if there are
     * too many. ARGV: the new version, the field, the tiers, the most limits, for how many milliseconds or 0, by whom,
     * and why.
     */
    static final String CHANGE = END + """
            local function text(number)
              return string.format('%.0f', number)
            end
            if ARGV[3] == '' then
              if redis.call('HDEL', KEYS[1], ARGV[2]) == 0 then return 0 end
              redis.call('ZREM', KEYS[3], ARGV[2])
            else
              if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
                return -1
              end
              local lasts, ends = tonumber(ARGV[5]), 0
              if lasts > 0 then
                ends = now + lasts
                redis.call('ZADD', KEYS[3], text(ends), ARGV[2])
              else
                redis.call('ZREM', KEYS[3], ARGV[2])
              end
              local notes = text(ends) .. '|' .. text(now) .. '|' .. ARGV[6] .. '|' .. ARGV[7]
              redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. '|' .. notes)
            end
            redis.call('SET', KEYS[2], ARGV[1])
            return 1
            """;

    private LimitScripts() {}
}
