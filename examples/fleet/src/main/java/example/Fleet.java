package example;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Demonstrates that three instances share a limit through Redis, even after an instance and then Redis itself are
 * killed.
 */
final class Fleet implements AutoCloseable {

    static final String UNAVAILABLE = "The store is unavailable";
    static final String BACK = "The store is back";
    /** How long each instance keeps to its part after an outage, so that all can report their counts to Redis. */
    private static final long REPORTED_MILLIS = 2_500;

    private final Processes processes = new Processes();
    private Process redis = processes.startRedis();
    private final List<Shop> shops = new ArrayList<>();

    Fleet() throws IOException, InterruptedException {
        for (String name : List.of("A", "B", "C")) {
            shops.add(processes.startShop(name));
        }
    }

    /** Makes calls as this tenant, to the instances in turn; returns the statuses. */
    List<Integer> call(String tenant, int calls) throws IOException, InterruptedException {
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            answers.add(shops.get(i % shops.size()).call(tenant));
        }
        return answers;
    }

    void killAnInstance() throws InterruptedException {
        Processes.kill(shops.remove(0).process());
    }

    void killRedis() throws IOException, InterruptedException {
        for (Shop shop : shops) {
            shop.skipLog();
        }
        Processes.kill(redis);
    }

    void restartRedis() throws IOException, InterruptedException {
        redis = processes.startRedis();
    }

    void awaitReports() throws InterruptedException {
        Thread.sleep(REPORTED_MILLIS);
    }

    /** Waits until all instances have logged this text; returns the first line. */
    String awaitLogs(String said) throws IOException, InterruptedException {
        String first = "";
        for (Shop shop : shops) {
            String line = shop.awaitLog(said);
            first = first.isEmpty() ? line : first;
        }
        return first;
    }

    @Override
    public void close() throws IOException {
        processes.close();
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("Starting a Redis and three instances. Each tenant may make 10 calls a day.");
        try (Fleet fleet = new Fleet()) {
            System.out.println("\nThe limit is shared. acme makes 12 calls, dealt to A, B and C in turn:");
            print(fleet.call("acme", 12));

            System.out.println("\nAn instance is killed. globex makes 3 calls, A is killed, globex makes 9 more:");
            print(fleet.call("globex", 3));
            fleet.killAnInstance();
            print(fleet.call("globex", 9));

            System.out.println("\nRedis is killed. initech makes 6 calls, dealt to B and C:");
            fleet.killRedis();
            print(fleet.call("initech", 6));
            System.out.println("  " + fleet.awaitLogs(UNAVAILABLE));

            System.out.println(
                    "\nRedis is back, and empty. B and C tell it what they counted. Then initech makes 6 more calls:");
            fleet.restartRedis();
            String back = fleet.awaitLogs(BACK);
            fleet.awaitReports();
            print(fleet.call("initech", 6));
            System.out.println("  " + back);
        }
    }

    private static void print(List<Integer> answers) {
        System.out.println("  " + answers.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
}
