// Makes the calls in Update, like a MonoGame game.
using System;
using Microsoft.Xna.Framework;

namespace CallCosts
{
    internal sealed class Program : Game
    {
        private readonly Costs _costs;

        private Program(Costs costs)
        {
            _costs = costs;
            TargetElapsedTime = TimeSpan.FromMilliseconds(costs.FrameMs);
        }

        protected override void Update(GameTime gameTime)
        {
            if (!_costs.Frame()) Exit();
        }

        private static void Main(string[] arguments)
        {
            using var game = new Program(new Costs(".NET " + Environment.Version + ", MonoGame stand-in", arguments[0]));
            game.Run();
        }
    }
}
