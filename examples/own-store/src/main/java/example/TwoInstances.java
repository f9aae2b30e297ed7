package example;

import dev.sluice.Call;
import dev.sluice.open.Sluice;
import org.h2.jdbcx.JdbcConnectionPool;

/** Two instances share a limit of ten calls through a database. */
final class TwoInstances {

    private TwoInstances() {}

    public static void main(String[] arguments) throws Exception {
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:limits", "sa", "");
        try (Sluice first = instance(database);
                Sluice second = instance(database)) {
            for (int call = 1; call <= 12; call++) {
                Sluice instance = call % 2 == 0 ? second : first;
                System.out.println(call + (instance.decide(new Product()).admitted() ? " passes" : " is refused"));
            }
        }
        database.dispose();
    }

    static Sluice instance(JdbcConnectionPool database) throws Exception {
        return Sluice.builder()
                .config("classpath:rate-limits.yml")
                .store(new JdbcCounterStore(database))
                .open();
    }

    /** A call of one tenant. */
    record Product() implements Call {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/product/42";
        }

        @Override
        public String ip() {
            return "192.0.2.1";
        }
    }
}
